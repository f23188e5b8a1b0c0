package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.StartupPacket;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The start-up exchange of an engine session: the start-up packet and the engine's replies to it. */
final class Opening {
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private int processId;
    private byte[] secret = {};
    private @Nullable ErrorFields error;

    /** Returns the parameters that the engine has reported. */
    Map<String, String> parameters() {
        return parameters;
    }

    int processId() {
        return processId;
    }

    byte[] secret() {
        return secret;
    }

    /** Returns the engine's reason for not opening; null if it gave none. */
    @Nullable
    ErrorFields error() {
        return error;
    }

    /** @param readOnly whether no transaction of the session shall write, whatever the client or the role has chosen */
    static void write(ByteBuf out, PoolKey key, boolean readOnly) {
        Map<String, String> startup = new LinkedHashMap<>();
        startup.put("user", key.user());
        startup.put("database", key.database());
        startup.putAll(key.startup());
        if (readOnly) {
            startup.put(BackendSettings.READ_ONLY, "on");
        }
        FrontendMessages.startup(out, StartupPacket.VERSION_3_0, startup);
    }

    /** @return false if the start-up cannot continue */
    boolean message(byte type, ByteBuf in, int index, int length) {
        switch (type) {
            case Backend.AUTHENTICATION -> {
                if (in.getInt(index + 5) != 0) {
                    error = ErrorFields.fatal(
                            "28000", "the engine asks Multimed for a password, which its private socket should not");
                    return false;
                }
            }
            case Backend.PARAMETER_STATUS -> {
                int nameEnd = in.indexOf(index + 5, index + length, (byte) 0);
                String name = in.toString(index + 5, nameEnd - index - 5, StandardCharsets.UTF_8);
                String value = in.toString(nameEnd + 1, index + length - nameEnd - 2, StandardCharsets.UTF_8);
                parameters.put(name, value);
            }
            case Backend.BACKEND_KEY_DATA -> {
                processId = in.getInt(index + 5);
                secret = new byte[length - 9];
                in.getBytes(index + 9, secret);
            }
            case Backend.ERROR_RESPONSE -> error = ErrorFields.decode(in, index);
            default -> {}
        }
        return true;
    }
}
