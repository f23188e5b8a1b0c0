package io.multimed.engine.files;

import io.multimed.core.spi.EngineException;
import java.nio.file.Path;

/** Thrown if the place for a Satellite's data has no room for it, or does not exist. Another place may do. */
public final class NoRoomException extends EngineException {
    public NoRoomException(String message) {
        super(message);
    }

    public NoRoomException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the exception for a failed write below {@code place}: a {@link NoRoomException} if hardly any room is left there,
     * otherwise an {@link EngineException}. The operating system's own message is not used, since it is in the user's language.
     */
    public static EngineException ifFull(Path place, String message, Throwable cause) {
        return Room.isLacking(place)
                ? new NoRoomException(message + " Only " + Room.left(place) + ".", cause)
                : new EngineException(message, cause);
    }
}
