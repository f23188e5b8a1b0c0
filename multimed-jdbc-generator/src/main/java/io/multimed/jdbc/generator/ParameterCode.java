package io.multimed.jdbc.generator;

import java.util.List;
import java.util.Set;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/**
 * Generates the setters of parameters. Each sets the parameter on the present physical statement and records it, so that it can be
 * set again when the statement moves to another connection.
 *
 * <p>A recorded parameter is a kind, up to two numbers and up to two objects, so recording allocates nothing.
 */
final class ParameterCode {
    /**
     * Types whose values can be read only once, or are bound to the connection that made them. They cannot be set on another
     * connection.
     */
    private static final Set<String> UNREPEATABLE = Set.of(
            "java.io.InputStream",
            "java.io.Reader",
            "java.sql.Array",
            "java.sql.Blob",
            "java.sql.Clob",
            "java.sql.NClob",
            "java.sql.Ref",
            "java.sql.RowId",
            "java.sql.SQLXML");

    /** Methods that the setters call. */
    static final String HOOKS = """

                /** Where a parameter is set, given its value if only the value tells whether it can be set again. */
                abstract java.sql.PreparedStatement parameterTarget(int index, Object value)
                        throws java.sql.SQLException;

                /** Where a parameter is set that cannot be set again. */
                abstract java.sql.PreparedStatement unrepeatable(int index) throws java.sql.SQLException;

                abstract boolean recordsParameters();

                abstract Parameters parameters();
            """;

    private ParameterCode() {}

    static boolean isSetter(ExecutableElement method) {
        return method.getSimpleName().toString().startsWith("set")
                && !method.getParameters().isEmpty()
                && method.getParameters().get(0).asType().getKind() == TypeKind.INT;
    }

    private static boolean isRepeatable(ExecutableElement method) {
        return !UNREPEATABLE.contains(method.getParameters().get(1).asType().toString());
    }

    static String setter(ExecutableElement method) {
        StringBuilder out = MethodCode.head(method);
        if (!isRepeatable(method)) {
            return out.append("        unrepeatable(a0).")
                    .append(MethodCode.call(method))
                    .append(";\n    }\n")
                    .toString();
        }
        out.append("        parameterTarget(").append(value(method)).append(").");
        out.append(MethodCode.call(method)).append(";\n");
        out.append("        if (recordsParameters()) {\n            parameters().record(a0, ParameterReplay.");
        out.append(constant(method)).append(arguments(method)).append(");\n        }\n    }\n");
        return out.toString();
    }

    /** Returns code that passes the value if its type may be one that cannot be repeated. */
    private static String value(ExecutableElement method) {
        boolean any = method.getParameters().get(1).asType().toString().equals("java.lang.Object");
        return any ? "a0, a1" : "a0, null";
    }

    /** Returns the arguments number, second number, object, second object. */
    private static String arguments(ExecutableElement method) {
        String[] numbers = {"0L", "0"};
        String[] objects = {"null", "null"};
        int object = 0;
        boolean bits = false;
        for (int i = 1; i < method.getParameters().size(); i++) {
            TypeMirror type = method.getParameters().get(i).asType();
            if (!type.getKind().isPrimitive()) {
                objects[object++] = "a" + i;
            } else if (bits || i == 3) {
                numbers[1] = "a" + i;
            } else {
                numbers[0] = toBits(type, "a" + i);
                bits = true;
            }
        }
        return ", " + numbers[0] + ", " + numbers[1] + ", " + objects[0] + ", " + objects[1];
    }

    private static String toBits(TypeMirror type, String value) {
        return switch (type.getKind()) {
            case BOOLEAN -> value + " ? 1L : 0L";
            case FLOAT -> "Float.floatToRawIntBits(" + value + ")";
            case DOUBLE -> "Double.doubleToRawLongBits(" + value + ")";
            default -> value;
        };
    }

    private static String fromBits(TypeMirror type) {
        return switch (type.getKind()) {
            case BOOLEAN -> "bits != 0";
            case FLOAT -> "Float.intBitsToFloat((int) bits)";
            case DOUBLE -> "Double.longBitsToDouble(bits)";
            case LONG -> "bits";
            default -> "(" + type + ") bits";
        };
    }

    private static String constant(ExecutableElement method) {
        StringBuilder name = new StringBuilder();
        for (char c : method.getSimpleName().toString().toCharArray()) {
            name.append(Character.isUpperCase(c) ? "_" : "").append(Character.toUpperCase(c));
        }
        for (int i = 2; i < method.getParameters().size(); i++) {
            String type = method.getParameters().get(i).asType().toString();
            name.append('_').append(type.substring(type.lastIndexOf('.') + 1).toUpperCase(java.util.Locale.ROOT));
        }
        return name.toString();
    }

    static String replay(String target, List<ExecutableElement> methods) {
        List<ExecutableElement> setters = methods.stream()
                .filter(ParameterCode::isSetter)
                .filter(ParameterCode::isRepeatable)
                .toList();
        StringBuilder out = new StringBuilder("package " + target + ";\n\n");
        out.append("/** Generated: sets a recorded parameter again, on another physical statement. */\n");
        out.append("@org.jspecify.annotations.NullUnmarked\n@SuppressWarnings({\"deprecation\", \"cast\"})\n");
        out.append("final class ParameterReplay {\n");
        for (int i = 0; i < setters.size(); i++) {
            out.append("    static final byte ").append(constant(setters.get(i)));
            out.append(" = ").append(i + 1).append(";\n");
        }
        out.append("\n    private ParameterReplay() {}\n\n");
        out.append("    static void set(java.sql.PreparedStatement on, int index, byte kind, long bits, int number,");
        out.append(" Object value, Object more) throws java.sql.SQLException {\n        switch (kind) {\n");
        for (ExecutableElement setter : setters) {
            out.append("            case ").append(constant(setter)).append(" -> on.");
            out.append(setter.getSimpleName())
                    .append("(index")
                    .append(values(setter))
                    .append(");\n");
        }
        out.append("            default -> throw new IllegalStateException(\"no such kind of parameter: \" + kind);\n");
        return out.append("        }\n    }\n}\n").toString();
    }

    private static String values(ExecutableElement method) {
        StringBuilder out = new StringBuilder();
        boolean value = false;
        boolean bits = false;
        for (int i = 1; i < method.getParameters().size(); i++) {
            TypeMirror type = method.getParameters().get(i).asType();
            out.append(", ");
            if (!type.getKind().isPrimitive()) {
                out.append("(").append(type).append(") ").append(value ? "more" : "value");
                value = true;
            } else if (bits || i == 3) {
                out.append("number");
            } else {
                out.append(fromBits(type));
                bits = true;
            }
        }
        return out.toString();
    }
}
