package io.multimed.endpoint.mysql;

import io.multimed.testkit.mariadb.MysqlWire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A client that prepares statements under names of its own, so that two servers can be sent the same. */
final class PreparedClient implements AutoCloseable {
    /** MariaDB's number of the statement that was prepared last. */
    static final String LAST = "last";

    private static final int TEXT = 0xfd;
    private static final int DECIMAL = 0xf6;
    private static final int BLOB = 0xfc;
    private static final int PREPARE = 0x16;
    private static final int EXECUTE = 0x17;
    private static final int LONG_DATA = 0x18;
    private static final int CLOSE = 0x19;
    private static final int RESET = 0x1a;
    private static final int FETCH = 0x1c;

    final MysqlWire wire;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** A value of a parameter, as the protocol's type sends it. */
    record Value(int type, byte[] bytes) {
        static Value number(long value) {
            return new Value(8, bytes(Unpooled.buffer().writeLongLE(value)));
        }

        static Value small(int value) {
            return new Value(1, new byte[] {(byte) value});
        }

        static Value real(double value) {
            return new Value(5, bytes(Unpooled.buffer().writeDoubleLE(value)));
        }

        /** @param type VAR_STRING, NEWDECIMAL or BLOB */
        static Value text(int type, String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            return new Value(
                    type, bytes(Unpooled.buffer().writeByte(bytes.length).writeBytes(bytes)));
        }

        static Value date(int year, int month, int day) {
            return new Value(
                    10,
                    bytes(Unpooled.buffer()
                            .writeByte(4)
                            .writeShortLE(year)
                            .writeByte(month)
                            .writeByte(day)));
        }

        static Value ofNull(int type) {
            return new Value(type, new byte[0]);
        }

        static Value any(Random random) {
            return switch (random.nextInt(8)) {
                case 0 -> number(random.nextInt(6));
                case 1 -> small(random.nextInt(6));
                case 2 -> real(random.nextInt(6) / 2.0);
                case 3 -> text(TEXT, List.of("one", "tw\u00f6", "", "2", "x'y").get(random.nextInt(5)));
                case 4 -> text(DECIMAL, "1.50");
                case 5 -> text(BLOB, "b\\");
                case 6 -> date(2020, 1, 1);
                default -> ofNull(random.nextBoolean() ? 8 : TEXT);
            };
        }

        boolean isNull() {
            return bytes.length == 0;
        }

        private static byte[] bytes(ByteBuf out) {
            byte[] bytes = new byte[out.readableBytes()];
            out.readBytes(bytes);
            return bytes;
        }
    }

    /** The values for a prepared statement's parameters. */
    static final class Bound {
        final List<Value> values = new ArrayList<>();
        /** Whether the server knows their types: it may crash if it is told none. */
        private boolean typed;

        static Bound of(String sql, Random random) {
            Bound fresh = new Bound();
            sql.chars().filter(c -> c == '?').forEach(c -> fresh.values.add(Value.any(random)));
            return fresh;
        }

        /** Records that the server may not know the types. */
        void forgetTypes() {
            typed = false;
        }

        /** Chooses the values for the next execution. @return whether it brings types; if not, the values are those of before */
        boolean next(Random random) {
            boolean bringsTypes = !typed || random.nextInt(3) > 0;
            typed = true;
            if (bringsTypes) {
                values.replaceAll(old -> Value.any(random));
            }
            return bringsTypes;
        }
    }

    PreparedClient(MysqlWire wire) {
        this.wire = wire;
    }

    static PreparedClient connect(int port, int capabilities, String user, String password, String database)
            throws IOException {
        MysqlWire wire = MysqlWire.connect(port);
        MysqlWire.Received last = wire.tryLogin(capabilities, user, password, database);
        if (last.payload()[0] != 0) {
            throw new IOException("login refused: " + last);
        }
        return new PreparedClient(wire);
    }

    private static List<String> withoutNumbers(List<String> reply) {
        List<String> all = new ArrayList<>();
        reply.forEach(packet -> all.add(packet.replaceAll("\\(\\d+\\)", "(n)")));
        return all;
    }

    private int number(String name) {
        return name.equals(LAST) ? -1 : numbers.getOrDefault(name, 0x7fff_0000);
    }

    /** @return the reply without the statement's number, which depends on what the server's thread did before */
    List<String> prepare(String name, String sql) throws IOException {
        List<String> reply = wire.exchange(PREPARE, sql.getBytes(StandardCharsets.UTF_8), true);
        ByteBuf first = Unpooled.wrappedBuffer(wire.firstOfReply());
        if (first.getByte(0) != 0) {
            numbers.remove(name);
            return withoutNumbers(reply);
        }
        numbers.put(name, first.getIntLE(1));
        List<String> all = new ArrayList<>(reply.subList(1, reply.size()));
        all.add("columns " + first.getUnsignedShortLE(5) + ", parameters " + first.getUnsignedShortLE(7));
        return all;
    }

    List<String> execute(String name, boolean cursor, boolean bringsTypes, List<Value> values) throws IOException {
        ByteBuf out = Unpooled.buffer();
        out.writeIntLE(number(name)).writeByte(cursor ? 1 : 0).writeIntLE(1);
        if (!values.isEmpty()) {
            byte[] nulls = new byte[(values.size() + 7) / 8];
            for (int i = 0; i < values.size(); i++) {
                nulls[i / 8] |= values.get(i).isNull() ? (byte) (1 << i % 8) : 0;
            }
            out.writeBytes(nulls).writeByte(bringsTypes ? 1 : 0);
            if (bringsTypes) {
                values.forEach(value -> out.writeShortLE(value.type()));
            }
            values.forEach(value -> out.writeBytes(value.bytes()));
        }
        return withoutNumbers(wire.exchange(EXECUTE, Value.bytes(out), true));
    }

    /** Returns the beginning of an execution with one parameter, a text: all that comes before its value. */
    byte[] execution(String name, boolean bringsTypes) {
        ByteBuf out = Unpooled.buffer();
        out.writeIntLE(number(name)).writeByte(0).writeIntLE(1).writeByte(0).writeByte(bringsTypes ? 1 : 0);
        if (bringsTypes) {
            out.writeShortLE(TEXT);
        }
        return Value.bytes(out);
    }

    List<String> execute(String name, Value... values) throws IOException {
        return execute(name, false, true, List.of(values));
    }

    void longData(String name, int parameter, String data) throws IOException {
        ByteBuf out = Unpooled.buffer().writeIntLE(number(name)).writeShortLE(parameter);
        out.writeCharSequence(data, StandardCharsets.UTF_8);
        wire.exchange(LONG_DATA, Value.bytes(out), false);
    }

    List<String> fetch(String name, int rows) throws IOException {
        ByteBuf out = Unpooled.buffer().writeIntLE(number(name)).writeIntLE(rows);
        return withoutNumbers(wire.exchange(FETCH, Value.bytes(out), true));
    }

    List<String> reset(String name) throws IOException {
        return withoutNumbers(wire.exchange(RESET, Value.bytes(Unpooled.buffer().writeIntLE(number(name))), true));
    }

    void closeStatement(String name) throws IOException {
        wire.exchange(CLOSE, Value.bytes(Unpooled.buffer().writeIntLE(number(name))), false);
        numbers.remove(name);
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
