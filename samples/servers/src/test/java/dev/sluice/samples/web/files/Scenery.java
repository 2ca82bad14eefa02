package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the tests of the file system look at. */
final class Scenery {

    private Scenery() {
    }

    /** Finds a file, reads all of it and releases it. */
    static String text(CachedFileSystem files, String path) throws IOException {
        FileEntry entry = entry(files, path);
        String text = text(entry);
        entry.release();
        return text;
    }

    static FileEntry entry(CachedFileSystem files, String path) throws IOException {
        return assertInstanceOf(FileEntry.class, files.lookup(path), path);
    }

    static String text(FileEntry entry) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) entry.stamp().size());
        entry.file().read(bytes, 0);
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    static boolean isOpen(FileEntry entry) {
        return entry.file().handle().isOpen();
    }
}
