package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.CachedPages;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Files whose transfers have flags for the system. */
abstract class FileFlagContract extends OperationContract {

    FileFlagContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesNothingInTheCacheIfOpenedSo() throws Exception {
        Path path = Files.createFile(directory.resolve("file"));
        FileHandle plain = own(FileHandle.open(path));
        assumeTrue(plain.supportsDontcache(), "no such files here");
        assumeFalse(Errno.EOPNOTSUPP.is(CachedPages.read(plain, 0)), "no such files here");
        Flight open = start(o -> o.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, FileOption.DONTCACHE));
        assertResult(0, open);
        Association where = associate(open.file().handle());
        byte[] much = Bytes.random(300_000);
        assertResult(much.length, start(o -> o.write(where, Bytes.direct(much), 0)));
        ByteBuffer[] both = {Bytes.direct(much), ByteBuffer.wrap(much, 0, 1_000)};
        assertResult(much.length + 1_000, start(o -> o.write(where, both, 0, 2, much.length)));
        assertTrue(CachedPages.areDropped(plain, 0, () -> {
            assertResult(2_000, start(o -> o.write(where, ByteBuffer.wrap(much, 0, 2_000), 0)));
            assertResult(1_000, start(o -> o.writeAndForceData(where, ByteBuffer.wrap(much, 0, 1_000), 0)));
        }), "written bytes stay in the cache");
        ByteBuffer in = ByteBuffer.allocateDirect(much.length);
        assertTrue(CachedPages.areDropped(plain, much.length,
                () -> assertResult(much.length, start(o -> o.read(where, in.clear(), much.length)))),
                "bytes that were read stay in the cache");
        assertEquals(ByteBuffer.wrap(much), in.flip());
        ByteBuffer[] parts = {ByteBuffer.allocate(1_000), ByteBuffer.allocateDirect(1_000)};
        assertResult(2_000, start(o -> o.read(where, parts, 0, 2, 0)));
        Association end = associate(own(FileHandle.open(path, StandardOpenOption.APPEND, FileOption.DONTCACHE))
                .handle());
        assertResult(10, start(o -> o.write(end, ByteBuffer.wrap(much, 0, 10), 0)));
        assertEquals(2L * much.length + 1_010, plain.size());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void openingNamesWhatTheFileSystemLacks() throws IOException {
        Flight open = start(o -> o.open(Path.of("/proc/self/stat"), FileOption.DONTCACHE));
        assertFails(Errno.EOPNOTSUPP, open);
        String message = open.operation().error(open.result()).getMessage();
        assertTrue(message.startsWith("open /proc/self/stat: EOPNOTSUPP") && message.endsWith("DONTCACHE asks for"),
                message);
    }
}
