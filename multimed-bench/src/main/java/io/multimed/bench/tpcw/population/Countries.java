package io.multimed.bench.tpcw.population;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The 92 countries of TPC-W, which are the same in every database. */
public final class Countries {
    /**
     * A country.
     *
     * @param exchange units of its currency for a dollar, as text
     */
    public record Country(String name, String exchange, String currency) {}

    private static final List<Country> ALL = read();

    private Countries() {}

    /** Returns the countries in the order of their ids, which begin with 1. */
    public static List<Country> all() {
        return ALL;
    }

    private static List<Country> read() {
        try (InputStream in = Countries.class.getResourceAsStream("countries.tsv")) {
            if (in == null) {
                throw new IllegalStateException("countries.tsv is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .map(fields -> new Country(fields[0], fields[1], fields[2]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
