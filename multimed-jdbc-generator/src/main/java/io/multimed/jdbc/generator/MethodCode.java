package io.multimed.jdbc.generator;

import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;

/** The text of methods. */
final class MethodCode {
    private MethodCode() {}

    static boolean throwsSqlException(ExecutableElement method) {
        return method.getThrownTypes().stream().anyMatch(type -> type.toString().equals("java.sql.SQLException"));
    }

    /** Annotations and signature up to the opening brace. */
    static StringBuilder head(ExecutableElement method) {
        StringBuilder out = new StringBuilder("    @Override\n    public ");
        List<? extends TypeParameterElement> generics = method.getTypeParameters();
        if (!generics.isEmpty()) {
            out.append(generics.stream().map(Object::toString).collect(Collectors.joining(", ", "<", "> ")));
        }
        out.append(method.getReturnType()).append(' ').append(method.getSimpleName());
        out.append(method.getParameters().stream()
                .map(parameter -> parameter.asType() + " " + name(method, parameter))
                .collect(Collectors.joining(", ", "(", ")")));
        return out.append(" throws java.sql.SQLException {\n");
    }

    private static String name(ExecutableElement method, VariableElement parameter) {
        return "a" + method.getParameters().indexOf(parameter);
    }

    /** The call itself, without what it is called on. */
    static String call(ExecutableElement method) {
        return method.getSimpleName()
                + method.getParameters().stream()
                        .map(parameter -> name(method, parameter))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    static String delegating(ExecutableElement method) {
        boolean returns = method.getReturnType().getKind() != TypeKind.VOID;
        return head(method)
                .append("        ")
                .append(returns ? "return " : "")
                .append("delegate().")
                .append(call(method))
                .append(";\n    }\n")
                .toString();
    }

    static String querying(ExecutableElement method) {
        return head(method)
                .append("        try {\n            return answered(asked().")
                .append(call(method))
                .append(
                        ");\n        } catch (java.sql.SQLException e) {\n            throw refused(e);\n        } finally {\n            ended();\n        }\n    }\n")
                .toString();
    }
}
