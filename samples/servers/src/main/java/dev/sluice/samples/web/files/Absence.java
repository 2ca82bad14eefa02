package dev.sluice.samples.web.files;

import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Set;

/**
 * Recognizes files that do not exist for a client: no such file, no permission, name too long, loop of links all get
 * the same reply.
 */
final class Absence {

    private static final Set<String> ERRORS = Set.of("ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG",
            "EISDIR", "ENXIO");

    private Absence() {
    }

    /** {@return whether a failure means that there is no such file, and not that the system cannot open it just now} */
    static boolean isMeant(IOException failure) {
        return failure instanceof FileSystemException
                || failure instanceof SystemCallException call && ERRORS.contains(call.errorName());
    }
}
