package io.multimed.tests.history;

import io.multimed.testkit.history.Commit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The order in which a MariaDB Master committed, and the rows that each transaction changed, from the files of its binary log. Nothing of
 * Multimed is involved.
 */
final class BinlogOrder {
    private static final int MAGIC = 4;
    private static final int HEADER = 19;
    private static final int CHECKSUM = 4;

    private static final int QUERY = 2;
    private static final int XID = 16;
    private static final int TABLE_MAP = 19;
    private static final int WRITE_ROWS = 23;
    private static final int UPDATE_ROWS = 24;
    private static final int XA_PREPARE = 38;
    private static final int GTID = 162;

    private final String database;
    private final List<Commit> commits = new ArrayList<>();
    /** Transactions that are prepared, by the text of their identifiers. */
    private final Map<String, Commit> prepared = new HashMap<>();

    private final Map<Long, String> tables = new HashMap<>();
    private final Set<Integer> registers = new HashSet<>();
    private long id;

    private BinlogOrder(String database) {
        this.database = database;
    }

    /** Returns all commits of the workload in the database; nobody may write to it any more. */
    static List<Commit> read(Path data, String database) throws IOException {
        BinlogOrder order = new BinlogOrder(database);
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .sorted()
                    .toList()) {
                order.file(ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN));
            }
        }
        return order.commits;
    }

    private void file(ByteBuffer file) throws IOException {
        tables.clear();
        int at = MAGIC;
        // A crash may have cut off the last event.
        while (at + HEADER <= file.limit() && at + file.getInt(at + 9) <= file.limit()) {
            int length = file.getInt(at + 9);
            int type = file.get(at + 4) & 0xff;
            event(type, file.slice(at + HEADER, length - HEADER - CHECKSUM).order(ByteOrder.LITTLE_ENDIAN));
            at += length;
        }
    }

    private void event(int type, ByteBuffer body) throws IOException {
        switch (type) {
            case GTID -> {
                registers.clear();
                id = 0;
            }
            case TABLE_MAP -> {
                long table = number(body, 0, 6);
                String schema = text(body, 9, body.get(8));
                int name = 9 + schema.length() + 1;
                tables.put(table, schema + "." + text(body, name + 1, body.get(name)));
            }
            case WRITE_ROWS, UPDATE_ROWS -> rows(type, body);
            case XID -> commit();
            case XA_PREPARE -> {
                int bytes = body.getInt(5) + body.getInt(9);
                prepared.put(text(body, 13, bytes), new Commit(id, registers));
            }
            case QUERY -> query(text(body, 13 + body.getShort(11) + body.get(8) + 1));
            default -> {
                // It is about no row of the workload.
            }
        }
    }

    private void query(String statement) {
        if (statement.equals("COMMIT")) {
            commit();
        } else if (statement.startsWith("XA COMMIT") || statement.startsWith("XA ROLLBACK")) {
            // Such as XA COMMIT X'3430',X'',1
            int begin = statement.indexOf('\'') + 1;
            String hex = statement.substring(begin, statement.indexOf('\'', begin));
            Commit ended = prepared.remove(new String(HexFormat.of().parseHex(hex), StandardCharsets.US_ASCII));
            if (ended != null && ended.id() != 0 && statement.startsWith("XA COMMIT")) {
                commits.add(ended);
            }
        }
    }

    private void commit() {
        if (id != 0) {
            commits.add(new Commit(id, registers));
            id = 0;
        }
    }

    private void rows(int type, ByteBuffer body) throws IOException {
        String table = tables.get(number(body, 0, 6));
        boolean isRegister = (database + ".register").equals(table);
        if (!isRegister && !(database + ".entry").equals(table)) {
            return;
        }
        int columns = body.get(8);
        if (columns != (isRegister ? 2 : 1)) {
            throw new IOException(table + " has " + columns + " columns");
        }
        // Each row, and each set of columns, begins with a byte of bits.
        int at = 9 + (type == UPDATE_ROWS ? 2 : 1);
        int row = 1 + (isRegister ? Integer.BYTES : 0) + Long.BYTES;
        while (at < body.limit()) {
            int now = type == UPDATE_ROWS ? at + row : at;
            long written = body.getLong(now + row - Long.BYTES);
            if (id != 0 && written != id) {
                throw new IOException("one transaction wrote " + id + " and " + written);
            }
            id = written;
            if (isRegister) {
                registers.add(body.getInt(now + 1));
            }
            at = now + row;
        }
    }

    private static long number(ByteBuffer body, int at, int bytes) {
        long number = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            number = number << 8 | (body.get(at + i) & 0xff);
        }
        return number;
    }

    private static String text(ByteBuffer body, int at) {
        return text(body, at, body.limit() - at);
    }

    private static String text(ByteBuffer body, int at, int length) {
        byte[] bytes = new byte[length];
        body.get(at, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
