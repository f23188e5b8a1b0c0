package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.hsqldb.HsqlChanges.RowData;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.engine.embedded.spi.TableName;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.hsqldb.HsqlException;
import org.hsqldb.Table;
import org.hsqldb.jdbc.JDBCConnection;

/**
 * Catalog and contents of an HSQLDB database.
 *
 * @param catalog statements in an order in which they can be executed
 * @param contents of every table
 */
record HsqlImage(List<String> catalog, List<TableRows> contents) implements MasterEngine.Image {
    private static final int ROWS_PER_COMMIT = 4096;

    /** The rows of one table. */
    record TableRows(TableName table, List<RowData> rows) {}

    @Override
    public SatelliteEngine create() throws SQLException {
        String url = "jdbc:hsqldb:mem:multimed-" + UUID.randomUUID();
        Properties internal = new Properties();
        internal.setProperty("user", HsqlCatalog.INTERNAL_USER);
        internal.setProperty("password", UUID.randomUUID().toString());
        // MVCC, so that readers get snapshots and never wait for the applier, whatever the Master's mode.
        JDBCConnection applier = HsqlFamily.connect(url + ";hsqldb.tx=mvcc", internal);
        HsqlSatellite satellite = new HsqlSatellite(url, applier);
        try {
            satellite.makeCatalog(catalog);
            applier.setAutoCommit(false);
            for (TableRows table : contents) {
                fill(satellite, table);
            }
            satellite.ready();
            return satellite;
        } catch (HsqlException e) {
            satellite.close();
            throw new SQLException(e.getMessage(), e.getSQLState(), e);
        } catch (SQLException | RuntimeException e) {
            satellite.close();
            throw e;
        }
    }

    private static void fill(HsqlSatellite satellite, TableRows from) throws SQLException {
        Table table = satellite.find(from.table);
        for (int start = 0; start < from.rows.size(); start += ROWS_PER_COMMIT) {
            int end = Math.min(start + ROWS_PER_COMMIT, from.rows.size());
            satellite.fill(table, from.rows.subList(start, end));
            satellite.commit();
        }
    }
}
