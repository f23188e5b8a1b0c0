package io.multimed.engine.embedded.spi;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a catalog that Master and Satellites have in common, comparable.
 *
 * @param lines definitions as the engine writes them, without parts that may differ; sorted
 */
public record CatalogSignature(List<String> lines) {
    /** Signature before anything is known. */
    public static final CatalogSignature NONE = new CatalogSignature(List.of());

    public CatalogSignature {
        lines = lines.stream().sorted().toList();
    }

    /**
     * Compares a Satellite's catalog after a change with this one, the Master's.
     *
     * @throws SQLException if they differ
     */
    public void check(CatalogSignature found, String change) throws SQLException {
        if (!equals(found)) {
            List<String> lacks = new ArrayList<>(lines);
            lacks.removeAll(found.lines);
            List<String> exceeds = new ArrayList<>(found.lines);
            exceeds.removeAll(lines);
            throw new SQLException("the catalog differs after: " + change + ": lacks " + lacks + ", has " + exceeds);
        }
    }
}
