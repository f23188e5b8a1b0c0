package io.multimed.bench.load;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The receiver of a population's rows. */
public interface Rows {
    /** @param fields in the order of the table's columns; each a value of its column's type, or the text of one */
    void row(String table, @Nullable Object... fields) throws SQLException;
}
