package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.DirectoryHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Appends the lines of its standard input to a log, and prints how much of that is on the disk. Lines that have come
 * are written together. A record that a crash has torn is cut off, and those before it are written once more, as they
 * may be in the system's cache only. The name of a new log is on the disk, too; on Windows, which has no force of
 * directories, leave that out. After a failure nothing is claimed: the program ends. It reads the whole log first, and
 * fails without a change to it if that is longer than a buffer can be, 2 GiB.
 */
public final class Log {

    public static void main(String[] args) throws IOException {
        try (FileLoop loop = FileLoop.open(); LoopFile log = loop.openFile(Path.of(args[0]), READ, WRITE, CREATE);
                DirectoryHandle folder = DirectoryHandle.open(Path.of(args[0]).toAbsolutePath().getParent());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            folder.force();
            FileBatch batch = new FileBatch(loop, 1);
            ByteBuffer old = ByteBuffer.allocateDirect(Math.toIntExact(log.file().size() + 1));
            batch.read(log, old, 0);
            batch.await();
            int end = old.flip().position();
            while (end <= old.limit() - 8 && Integer.compareUnsigned(old.getInt(end + 4), old.limit() - end - 8) <= 0
                    && old.getInt(end) == checksum(old, end)) {
                end += 8 + old.getInt(end + 4);
            }
            log.file().truncate(end);
            batch.writeAndForceData(log, old.limit(end), 0);
            batch.await();
            ByteBuffer group = ByteBuffer.allocateDirect(1 << 20);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                byte[] text = line.getBytes(UTF_8);
                int at = group.position();
                group = group.remaining() >= 8 + text.length ? group
                        : ByteBuffer.allocateDirect(at + 8 + text.length).put(group.flip());
                group.putInt(0).putInt(text.length).put(text).putInt(at, checksum(group, at));
                if (!input.ready() || group.position() > group.capacity() / 2) {
                    batch.writeAndForceData(log, group.flip(), log.file().size());
                    batch.await();
                    group.clear();
                    System.out.println(log.file().size() + " bytes");
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
