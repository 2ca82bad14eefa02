package dev.sluice.benchmarks.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** The recipe {@code Log} on a {@code FileChannel}, whose force is a call of its own. */
public final class NioLog {

    public static void main(String[] args) throws IOException {
        try (FileChannel log = FileChannel.open(Path.of(args[0]), READ, WRITE, CREATE);
                FileChannel folder = FileChannel.open(Path.of(args[0]).toAbsolutePath().getParent());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            folder.force(true);
            ByteBuffer found = ByteBuffer.allocateDirect(Math.toIntExact(log.size()));
            int read = 0;
            while (found.hasRemaining() && read >= 0) {
                read = log.read(found, found.position());
            }
            int end = 0;
            found.flip();
            while (found.limit() - end >= 8
                    && Integer.compareUnsigned(found.getInt(end + 4), found.limit() - end - 8) <= 0
                    && found.getInt(end) == checksum(found, end)) {
                end += 8 + found.getInt(end + 4);
            }
            log.truncate(end);
            write(log, found.limit(end), 0);
            ByteBuffer group = ByteBuffer.allocateDirect(1 << 20);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                byte[] text = line.getBytes(UTF_8);
                int at = group.position();
                group = group.remaining() >= 8 + text.length ? group
                        : ByteBuffer.allocateDirect(at + 8 + text.length).put(group.flip());
                group.putInt(0).putInt(text.length).put(text).putInt(at, checksum(group, at));
                if (!input.ready() || group.position() > group.capacity() / 2) {
                    write(log, group.flip(), end);
                    end += group.limit();
                    group.clear();
                    System.out.println(end + " bytes");
                }
            }
        }
    }

    private static void write(FileChannel log, ByteBuffer source, long position) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            at += log.write(source, at);
        }
        log.force(false);
    }

    private static int checksum(ByteBuffer log, int at) {
        CRC32C crc = new CRC32C();
        crc.update(log.slice(at + 4, 4 + log.getInt(at + 4)));
        return (int) crc.getValue();
    }
}
