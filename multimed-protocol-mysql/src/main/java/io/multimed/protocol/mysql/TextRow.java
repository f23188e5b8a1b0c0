package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of a result set in text form. */
public final class TextRow {
    private TextRow() {}

    /** Decodes the payload. */
    public static List<@Nullable String> decode(ByteBuf in, int columns) throws MysqlProtocolException {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            values.add(Fields.readNullableText(in));
        }
        return values;
    }

    /** Appends the payload. */
    public static void encode(ByteBuf out, List<? extends @Nullable String> values) {
        for (String value : values) {
            Fields.writeNullableText(out, value);
        }
    }
}
