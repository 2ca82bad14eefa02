package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Appends the lines of its standard input to a log, and prints how much of that is on the disk. Lines that have come
 * are written together. A record that a crash has torn is cut off, and those before it are written once more, as they
 * may be in the system's cache only. After a failure nothing is claimed: the program ends.
 */
public final class Log {

    public static void main(String[] args) throws IOException {
        try (FileLoop loop = FileLoop.open(); LoopFile log = loop.openFile(Path.of(args[0]), READ, WRITE, CREATE);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            FileBatch batch = new FileBatch(loop, 1);
            ByteBuffer found = ByteBuffer.allocateDirect((int) log.file().size() + 1);
            batch.read(log, found, 0);
            batch.await();
            int end = 0;
            found.flip();
            while (found.limit() - end >= 8
                    && Integer.compareUnsigned(found.getInt(end + 4), found.limit() - end - 8) <= 0
                    && found.getInt(end) == checksum(found, end)) {
                end += 8 + found.getInt(end + 4);
            }
            log.file().truncate(end);
            batch.writeAndForceData(log, found.limit(end), 0);
            batch.await();
            ByteBuffer group = ByteBuffer.allocateDirect(1 << 20);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                byte[] text = line.getBytes(UTF_8);
                int at = group.position();
                group.putInt(at + 4, text.length).put(at + 8, text).putInt(at, checksum(group, at))
                        .position(at + 8 + text.length);
                if (!input.ready() || group.position() > group.capacity() / 2) {
                    batch.writeAndForceData(log, group.flip(), end);
                    batch.await();
                    end += group.limit();
                    group.clear();
                    System.out.println(end + " bytes");
                }
            }
        }
    }

    private static int checksum(ByteBuffer log, int at) {
        CRC32C crc = new CRC32C();
        crc.update(log.slice(at + 4, 4 + log.getInt(at + 4)));
        return (int) crc.getValue();
    }
}
