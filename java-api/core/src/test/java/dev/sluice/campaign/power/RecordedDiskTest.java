package dev.sluice.campaign.power;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a disk may have after its power has failed: all of that, and nothing else. */
@EnabledOnOs(OS.LINUX)
class RecordedDiskTest extends LeakChecked {

    private static final int SECTOR = 512;

    @TempDir
    Path directory;

    private RecordedDisk disk;

    @BeforeEach
    void install() throws IOException {
        Files.writeString(directory.resolve("old"), "old");
        disk = RecordedDisk.install(directory);
    }

    @AfterEach
    void close() {
        disk.close();
    }

    private void force() throws IOException {
        try (DirectoryHandle names = DirectoryHandle.open(directory)) {
            names.force();
        }
    }

    private FileHandle create(String name) throws IOException {
        return own(FileHandle.open(directory.resolve(name), WRITE, CREATE_NEW));
    }

    private static void write(FileHandle file, int position, String text) throws IOException {
        assertEquals(text.length(), file.write(ByteBuffer.wrap(text.getBytes()), position));
    }

    private Set<String> states(Tearing tearing) {
        return DiskStates.now(disk, tearing);
    }

    @Test
    void whatWasThereIsThere() {
        assertEquals(Set.of("old=o"), states(Tearing.SECTORS));
        assertEquals(-1, disk.acknowledged(disk.points() - 1));
    }

    @Test
    void fileWhoseNameIsNotForcedMayBeMissing() throws IOException {
        FileHandle file = create("a");
        write(file, 0, "x");
        file.force();
        assertEquals(Set.of("old=o", "a=x old=o"), states(Tearing.SECTORS));
        force();
        assertEquals(Set.of("a=x old=o"), states(Tearing.SECTORS));
    }

    @Test
    void nameIsForcedWithoutItsContent() throws IOException {
        FileHandle file = create("a");
        force();
        write(file, 0, "x".repeat(3 * SECTOR));
        assertEquals(Set.of("a= old=o", "a=x old=o", "a=xx old=o", "a=xxx old=o"), states(Tearing.END));
        assertEquals(Set.of("a= old=o", "a=x old=o", "a=-x old=o", "a=xx old=o", "a=--x old=o", "a=x-x old=o",
                "a=-xx old=o", "a=xxx old=o", "a=--- old=o", "a=x-- old=o", "a=xx- old=o", "a=-x- old=o"),
                states(Tearing.SECTORS));
        file.forceData();
        assertEquals(Set.of("a=xxx old=o"), states(Tearing.SECTORS));
    }

    @Test
    void writeAfterTheForceIsNotCovered() throws IOException {
        FileHandle file = create("a");
        force();
        write(file, 0, "x");
        file.forceData();
        write(file, 0, "y");
        assertEquals(Set.of("a=x old=o", "a=y old=o"), states(Tearing.SECTORS));
    }

    @Test
    void forceOfAnotherFileCoversNothing() throws IOException {
        FileHandle file = create("a");
        FileHandle other = create("b");
        force();
        write(file, 0, "x");
        other.force();
        assertEquals(Set.of("a= b= old=o", "a=- b= old=o", "a=x b= old=o"), states(Tearing.SECTORS));
    }

    @Test
    void renamedFileHasOneOfItsNames() throws IOException {
        FileHandle file = create("new");
        write(file, 0, "x");
        file.force();
        force();
        Files.move(directory.resolve("new"), directory.resolve("old"), StandardCopyOption.REPLACE_EXISTING);
        disk.acknowledge(1);
        assertEquals(Set.of("new=x old=o", "old=x"), states(Tearing.SECTORS));
        force();
        assertEquals(Set.of("old=x"), states(Tearing.SECTORS));
        assertEquals(1, disk.acknowledged(disk.points() - 1));
    }

    @Test
    void deletedFileMayBeThere() throws IOException {
        Files.delete(directory.resolve("old"));
        disk.acknowledge(1);
        assertEquals(Set.of("", "old=o"), states(Tearing.SECTORS));
        force();
        assertEquals(Set.of(""), states(Tearing.SECTORS));
    }

    @Test
    void fileInANewDirectoryNeedsBothNames() throws IOException {
        Files.createDirectory(directory.resolve("d"));
        FileHandle file = create("d/a");
        write(file, 0, "x");
        file.force();
        force();
        assertEquals(Set.of("old=o", "d/a=x old=o"), states(Tearing.SECTORS));
        try (DirectoryHandle names = DirectoryHandle.open(directory.resolve("d"))) {
            names.force();
        }
        assertEquals(Set.of("d/a=x old=o"), states(Tearing.SECTORS));
    }

    @Test
    void lengthMayBeTheOldOne() throws IOException {
        try (FileHandle file = FileHandle.open(directory.resolve("old"), WRITE)) {
            file.truncate(0);
            assertEquals(Set.of("old=", "old=o"), states(Tearing.SECTORS));
            file.forceData();
            assertEquals(Set.of("old="), states(Tearing.SECTORS));
        }
    }

    @Test
    void whatIsNotRecordedFails() throws IOException {
        try (FileHandle file = FileHandle.open(directory.resolve("old"), WRITE)) {
            assertThrows(AssertionError.class, () -> file.punchHole(0, 1));
        }
        assertThrows(AssertionError.class, disk::points);
    }
}
