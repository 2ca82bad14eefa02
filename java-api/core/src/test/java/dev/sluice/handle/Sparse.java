package dev.sluice.handle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that are long and take little space, on file systems that have such files. */
public final class Sparse {

    private Sparse() {
    }

    /** Creates an empty file. On NTFS only a file that is created so has holes, others are filled with zeros. */
    public static Path create(Path path) throws IOException {
        Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)
                .close();
        return path;
    }
}
