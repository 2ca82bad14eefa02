package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of mounts (proc(5)). */
class FileSystemKindTest {

    private static final List<String> TABLE = List.of(
            "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard",
            "275 27 254:0 / /data rw shared:7 master:1 - xfs /dev/vdb rw",
            "30 25 0:27 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684084k",
            "31 27 0:40 / /a\\040-\\040b rw - overlay overlay rw,lowerdir=/l",
            "32 27 0:41 / /remote rw - nfs4 server:/ rw",
            "33 27 0:42 / /user rw - fuse.sshfs ext4 - ext4",
            "34 27 0:43 / /odd rw");

    @ParameterizedTest
    @CsvSource({"27, DISK", "275, DISK", "30, MEMORY", "31, DISK", "32, OTHER", "33, OTHER", "34, OTHER", "2, OTHER",
        "0, OTHER"})
    void isThatOfTheType(long mount, FileSystemKind expected) {
        assertEquals(expected, FileSystemKind.in(TABLE, mount));
    }

    @Test
    void unknownMountIsOther() {
        assertEquals(FileSystemKind.OTHER, FileSystemKind.of(Long.MAX_VALUE));
        assertEquals(FileSystemKind.OTHER, FileSystemKind.of(0));
    }

    @Test
    void mountWithTheNumberOfAnEarlierOneIsLookedUp(@TempDir Path directory) throws IOException {
        long mount = Long.MAX_VALUE - 1;
        long later = FileSystemKind.REMEMBERED_NANOS;
        Path before = Files.writeString(directory.resolve("before"), mount + " 27 0:27 / /a rw - tmpfs tmpfs rw\n");
        Path after = Files.writeString(directory.resolve("after"), mount + " 27 0:27 / /b rw - nfs4 server:/ rw\n");
        assertEquals(FileSystemKind.MEMORY, FileSystemKind.of(mount, 0, before));
        assertEquals(FileSystemKind.MEMORY, FileSystemKind.of(mount, later - 1, after));
        assertEquals(FileSystemKind.OTHER, FileSystemKind.of(mount, later, after));
    }
}
