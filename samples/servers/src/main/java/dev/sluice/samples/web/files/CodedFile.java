package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Codes a file into another one, which has no name any more: so it can be transmitted, mapped and sent in parts like
 * every other, and is gone when it is closed, or when the process is.
 */
final class CodedFile {

    private static final int BUFFER_SIZE = 64 * 1024;

    private CodedFile() {
    }

    static FileHandle gzip(FileHandle plain, long size) throws IOException {
        Path path = Files.createTempFile("sluice-", ContentCoding.GZIP.extension());
        try {
            try (OutputStream file = Files.newOutputStream(path); OutputStream coder = new GZIPOutputStream(file)) {
                copy(plain, size, coder);
            }
            return FileHandle.open(path);
        } finally {
            Files.delete(path);
        }
    }

    private static void copy(FileHandle plain, long size, OutputStream out) throws IOException {
        byte[] octets = new byte[(int) Math.min(size, BUFFER_SIZE)];
        for (long at = 0; at < size;) {
            int count = plain.read(ByteBuffer.wrap(octets, 0, (int) Math.min(size - at, octets.length)), at);
            if (count <= 0) {
                throw new EOFException(plain + " has been truncated while it was being compressed");
            }
            out.write(octets, 0, count);
            at += count;
        }
    }
}
