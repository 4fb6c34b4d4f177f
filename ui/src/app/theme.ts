import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from "@mantine/core";

const lake: MantineColorsTuple = [
  "#e6f6f8",
  "#cdebef",
  "#9bd7df",
  "#64c1cd",
  "#3badbc",
  "#2196a6",
  "#148192",
  "#0b6e7f",
  "#085b69",
  "#064854",
];

export const theme = createTheme({
  primaryColor: "lake",
  primaryShade: 7,
  colors: { lake },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "19px" },
  defaultRadius: "sm",
  cursorType: "pointer",
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "20px" }, h2: { fontSize: "15px" }, h3: { fontSize: "14px" } },
  },
  components: {
    Button: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { "aria-label": "Close" },
        // The head of a dialog is no banner of the page.
        attributes: { header: { role: "presentation" } },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Drawer: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        attributes: { header: { role: "presentation" } },
      },
    },
  },
});

// The library's own are too pale on white and too dark on black for WCAG AA.
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#59626b",
    "--mantine-color-placeholder": "#69727b",
    "--mantine-color-anchor": "#085b69",
    "--mantine-color-error": "#b3261e",
  },
  dark: {
    "--mantine-color-dimmed": "#a3abb5",
    "--mantine-color-placeholder": "#8f98a3",
    "--mantine-color-anchor": "#64c1cd",
    "--mantine-color-error": "#ff8f87",
  },
});

export const schemes = localStorageColorSchemeManager({ key: "boathouse-theme" });
