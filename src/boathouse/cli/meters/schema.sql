-- A power company: customers have meters, and meters are read.
CREATE TABLE IF NOT EXISTS customers (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    tariff text NOT NULL,
    since date NOT NULL
);

CREATE TABLE IF NOT EXISTS meters (
    id bigint PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers,
    serial text NOT NULL,
    installed_on date NOT NULL,
    pulses integer NOT NULL
);

CREATE TABLE IF NOT EXISTS readings (
    id bigint PRIMARY KEY,
    meter_id bigint NOT NULL REFERENCES meters,
    read_at timestamptz NOT NULL,
    kwh numeric(10, 3) NOT NULL,
    corrected boolean NOT NULL DEFAULT false,
    note text
);

-- What a contract's end deletes is found by these, and so is what still refers to it.
CREATE INDEX IF NOT EXISTS meters_of_customer ON meters (customer_id);
CREATE INDEX IF NOT EXISTS readings_of_meter ON readings (meter_id);

-- A sum over readings has to take away what a corrected one was before: Postgres must log all of it, not only its key.
ALTER TABLE readings REPLICA IDENTITY FULL;
