package io.multimed.engine.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes in words why an operation on a file failed: some exceptions contain nothing but the file's name. */
public final class FileProblem {
    private FileProblem() {}

    /** Returns a few words, in the wording of PostgreSQL and the shell's commands. */
    public static String of(IOException problem) {
        if (problem instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (problem instanceof AccessDeniedException) {
            return "Permission denied";
        }
        if (problem instanceof FileAlreadyExistsException) {
            return "it is there already, and no directory";
        }
        return problem instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : String.valueOf(problem.getMessage());
    }
}
