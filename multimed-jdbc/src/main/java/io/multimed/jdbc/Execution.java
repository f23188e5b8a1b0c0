package io.multimed.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

/** One way of executing a statement; captures nothing where it can, so that executing allocates nothing. */
@FunctionalInterface
interface Execution {
    Execution QUERY = (self, physical, sql) -> self.answer(physical.executeQuery(sql));
    Execution UPDATE = (self, physical, sql) -> physical.executeUpdate(sql);
    Execution LARGE_UPDATE = (self, physical, sql) -> physical.executeLargeUpdate(sql);
    Execution ANY = (self, physical, sql) -> physical.execute(sql) ? 1 : 0;

    /**
     * @param sql the text at hand: that of the statement, or a part of it
     * @return the count of rows, or 1 if there is a result set; a query's result set is left by {@link
     *     LogicalStatement#answer}
     */
    long on(LogicalStatement self, Statement physical, String sql) throws SQLException;
}
