package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.Bytes;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.h2.message.DbException;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FileUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths with the prefix {@code sluice:}, alone and with H2's wrappers. */
@Tag(Depth.IN_QUICK)
class FilePathSluiceTest extends LeakChecked {

    private static final int SIZE = 3 << 20;

    @TempDir
    Path directory;

    private Path folder;
    private String prefix;

    @BeforeAll
    static void register() {
        FilePathSluice.register();
        FilePathSluice.register();
    }

    @BeforeEach
    void resolve() throws Exception {
        folder = directory.toRealPath();
        prefix = "sluice:" + folder + "/";
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void pathsAreThoseOfTheDefaultFileSystem() throws Exception {
        FilePath file = FilePath.get(prefix + "file");
        assertEquals(FilePathSluice.class, file.getClass());
        assertEquals("sluice", file.getScheme());
        assertEquals(prefix + "file", file.toString());
        assertEquals("file", file.getName());
        assertEquals("sluice:" + folder, file.getParent().toString());
        assertEquals(folder + "/file", file.unwrap().toString());
        assertEquals(prefix + "file", file.toRealPath().toString());
        assertTrue(file.isAbsolute());
        assertFalse(FilePath.get("sluice:./file").isAbsolute());
        assertTrue(FilePath.get("sluice:~/file").unwrap().toString().startsWith(System.getProperty("user.home")));
        assertFalse(file.exists());
        assertTrue(file.createFile());
        assertFalse(file.createFile());
        assertTrue(file.exists() && file.isRegularFile() && file.canWrite() && !file.isDirectory());
        assertEquals(Files.getLastModifiedTime(folder.resolve("file")).toMillis(), file.lastModified());
        Files.write(folder.resolve("file"), new byte[7]);
        assertEquals(7, file.size());
        assertTrue(file.setReadOnly());
        file.delete();
        assertFalse(Files.exists(folder.resolve("file")));
        file.delete();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void foldersAreListed() throws Exception {
        FilePath sub = FilePath.get(prefix + "sub");
        sub.createDirectory();
        assertTrue(sub.isDirectory());
        Files.createFile(folder.resolve("sub/file"));
        assertEquals(List.of(prefix + "sub/file"), sub.newDirectoryStream().stream().map(FilePath::toString).toList());
        assertThrows(DbException.class, sub::delete);
        FileUtils.deleteRecursive(sub.toString(), false);
        assertFalse(Files.exists(folder.resolve("sub")));
        assertEquals(List.of(), sub.newDirectoryStream());
    }

    @Test
    void filesAreMoved() throws Exception {
        Files.write(folder.resolve("a"), new byte[1]);
        Files.write(folder.resolve("b"), new byte[2]);
        FilePath a = FilePath.get(prefix + "a");
        FilePath b = FilePath.get(prefix + "b");
        assertThrows(DbException.class, () -> a.moveTo(b, false));
        a.moveTo(b, true);
        assertFalse(a.exists());
        assertEquals(1, b.size());
        b.moveTo(a, false);
        assertTrue(a.exists());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void temporaryFilesAreCreated(boolean inTempDir) throws Exception {
        FilePath file = FilePath.get(prefix + "db").createTempFile(".temp.db", inTempDir);
        assertTrue(file.toString().startsWith(inTempDir ? "sluice:" : prefix + "db"), file::toString);
        assertTrue(file.toString().endsWith(".temp.db") && file.exists(), file::toString);
        try (FileChannel channel = file.open("rw")) {
            assertEquals(1, channel.write(ByteBuffer.allocate(1)));
        }
        file.delete();
    }

    @Test
    void streamsReadAndWrite() throws Exception {
        byte[] content = Bytes.random(100_000);
        FilePath file = FilePath.get(prefix + "new/folder/file");
        try (OutputStream out = file.newOutputStream(false)) {
            out.write(new byte[200_000]);
        }
        try (OutputStream out = file.newOutputStream(false)) {
            out.write(content, 0, 50_000);
        }
        try (OutputStream out = file.newOutputStream(true)) {
            out.write(content, 50_000, 50_000);
        }
        try (InputStream in = file.newInputStream()) {
            assertArrayEquals(content, in.readAllBytes());
        }
        ByteArrayOutputStream transferred = new ByteArrayOutputStream();
        try (InputStream in = file.newInputStream()) {
            assertEquals(100, in.skip(100));
            in.transferTo(transferred);
        }
        assertEquals(ByteBuffer.wrap(content, 100, 99_900), ByteBuffer.wrap(transferred.toByteArray()));
    }

    /** H2's wrappers before the prefix, and names of its default file system after it. */
    @ParameterizedTest
    @ValueSource(strings = {"sluice:nio:", "sluice:file:", "split:20:sluice:", "retry:sluice:",
        "split:20:retry:sluice:"})
    void otherFileSystemsAreWrapped(String nested) throws Exception {
        byte[] content = Bytes.random(SIZE);
        FilePath file = FilePath.get(nested + folder + "/nested");
        try (FileChannel channel = file.open("rw")) {
            ByteBuffer out = ByteBuffer.wrap(content);
            while (out.hasRemaining()) {
                channel.write(out, out.position());
            }
            channel.force(true);
            assertEquals(SIZE, channel.size());
            channel.truncate(SIZE - 10);
        }
        assertEquals(SIZE - 10, file.size());
        try (InputStream in = file.newInputStream()) {
            assertEquals(ByteBuffer.wrap(content, 0, SIZE - 10), ByteBuffer.wrap(in.readAllBytes()));
        }
        try (FileChannel channel = file.open("r")) {
            ByteBuffer in = ByteBuffer.allocate(1000);
            while (in.hasRemaining()) {
                assertTrue(channel.read(in, (1 << 20) - 500 + in.position()) > 0);
            }
            assertEquals(ByteBuffer.wrap(content, (1 << 20) - 500, 1000), in.flip());
        }
        FilePath moved = FilePath.get(nested + folder + "/moved");
        file.moveTo(moved, false);
        assertEquals(SIZE - 10, moved.size());
        moved.delete();
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"split:", "sluice:", "memFS:", "nioMapped:", "async:", "zip:"})
    void otherFileSystemsAreNotWrapping(String scheme) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> FilePath.get("sluice:" + scheme + folder + "/file"));
        assertTrue(e.getMessage().contains("write sluice: last"), e.getMessage());
    }
}
