package dev.sluice.samples.server;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Describes problems with files. The exceptions of {@code java.nio.file} report the problem by their class, and not in
 * their message.
 */
public final class FileProblem {

    private FileProblem() {
    }

    /**
     * Puts a failure into words.
     *
     * @param failure of any kind
     * @return its message, and if that is the name of a file only, then what is wrong with it
     */
    public static String describe(Throwable failure) {
        if (!(failure instanceof FileSystemException problem) || problem.getReason() != null) {
            return failure.getMessage() == null ? failure.toString() : failure.getMessage();
        }
        return problem.getFile() + ": " + what(problem);
    }

    private static String what(IOException problem) {
        if (problem instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (problem instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (problem instanceof FileAlreadyExistsException) {
            return "exists, and is not a directory";
        }
        return problem instanceof NotDirectoryException ? "not a directory" : problem.getClass().getSimpleName();
    }
}
