package dev.sluice.lucene;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens files with the exceptions of java.nio, by whose classes Lucene tells errors apart. */
final class IndexFiles {

    private IndexFiles() {
    }

    /**
     * {@return the opened file; the caller closes it}
     *
     * @throws NoSuchFileException        for {@code ENOENT}
     * @throws FileAlreadyExistsException for {@code EEXIST}
     * @throws AccessDeniedException      for {@code EACCES} and {@code EPERM}
     * @throws SystemCallException        for any other error
     */
    static FileHandle open(Path path, OpenOption... options) throws IOException {
        try {
            return FileHandle.open(path, options);
        } catch (SystemCallException e) {
            String file = path.toString();
            switch (e.errorName()) {
                case "ENOENT" -> throw caused(new NoSuchFileException(file, null, e.getMessage()), e);
                case "EEXIST" -> throw caused(new FileAlreadyExistsException(file, null, e.getMessage()), e);
                case "EACCES", "EPERM" -> throw caused(new AccessDeniedException(file, null, e.getMessage()), e);
                default -> throw e;
            }
        }
    }

    private static FileSystemException caused(FileSystemException exception, SystemCallException cause) {
        exception.initCause(cause);
        return exception;
    }
}
