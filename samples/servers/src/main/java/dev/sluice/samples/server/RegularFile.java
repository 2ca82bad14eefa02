package dev.sluice.samples.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that a running server reads, such as its configuration. Only regular files are read: opening a pipe blocks
 * until another process writes to it, and a device may have no end; the server could then not be stopped.
 */
public final class RegularFile {

    private RegularFile() {
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @param maximum the number of octets that it may have
     * @return all of them
     * @throws FileSystemException if it is no regular file, or too large
     * @throws IOException         if it cannot be read
     */
    public static byte[] read(Path file, int maximum) throws IOException {
        if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(maximum + 1);
            if (content.length > maximum) {
                throw new FileSystemException(file.toString(), null, "has more than " + maximum + " bytes");
            }
            return content;
        }
    }
}
