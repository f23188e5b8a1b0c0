package io.multimed.endpoint.pg.admin;

import io.multimed.protocol.pg.ErrorFields;
import java.util.List;

/**
 * The result of a command.
 *
 * @param rows whose values are shown by their {@code toString}
 * @param notices sent before its end
 */
public record AdminAnswer(List<List<Object>> rows, List<ErrorFields> notices) {
    static final AdminAnswer NOTHING = new AdminAnswer(List.of(), List.of());

    static AdminAnswer rows(List<List<Object>> rows) {
        return new AdminAnswer(rows, List.of());
    }

    static AdminAnswer notices(List<ErrorFields> notices) {
        return new AdminAnswer(List.of(), notices);
    }
}
