package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;

/** The definition of a column in a result set; the parts that Multimed's own queries need, and that its own answers have. */
public record ColumnDefinition(
        String schema, String table, String name, int collation, long length, int type, int flags, int decimals) {
    /** MYSQL_TYPE_VAR_STRING. */
    public static final int TEXT = 0xfd;

    /** MYSQL_TYPE_LONGLONG. */
    public static final int NUMBER = 0x08;

    private static final int UTF8MB4 = 45;
    private static final int BINARY = 63;
    private static final int NUMBER_FLAGS = 0x8080;

    /** Returns the definition of a text column. */
    public static ColumnDefinition text(String name) {
        return new ColumnDefinition("", "", name, UTF8MB4, 1024, TEXT, 0, 0);
    }

    /** Returns the definition of a column of whole numbers. */
    public static ColumnDefinition number(String name) {
        return new ColumnDefinition("", "", name, BINARY, 20, NUMBER, NUMBER_FLAGS, 0);
    }

    /** Decodes the payload. */
    public static ColumnDefinition decode(ByteBuf in, long capabilities) throws MysqlProtocolException {
        Fields.readBytes(in);
        String schema = Fields.readText(in);
        String table = Fields.readText(in);
        Fields.readBytes(in);
        String name = Fields.readText(in);
        Fields.readBytes(in);
        if (Capability.has(capabilities, Capability.MARIADB_EXTENDED_METADATA)) {
            Fields.readBytes(in);
        }
        Fields.readInteger(in);
        Fields.require(in, 10);
        return new ColumnDefinition(
                schema,
                table,
                name,
                in.readUnsignedShortLE(),
                in.readUnsignedIntLE(),
                in.readUnsignedByte(),
                in.readUnsignedShortLE(),
                in.readUnsignedByte());
    }

    /** Appends the payload. */
    public void encode(ByteBuf out, long capabilities) {
        Fields.writeText(out, "def");
        Fields.writeText(out, schema);
        Fields.writeText(out, table);
        Fields.writeText(out, table);
        Fields.writeText(out, name);
        Fields.writeText(out, name);
        if (Capability.has(capabilities, Capability.MARIADB_EXTENDED_METADATA)) {
            out.writeByte(0);
        }
        out.writeByte(0x0c).writeShortLE(collation).writeIntLE((int) length);
        out.writeByte(type).writeShortLE(flags).writeByte(decimals).writeShortLE(0);
    }
}
