package dev.sluice.files;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.campaign.power.DiskStates;
import dev.sluice.campaign.power.RecordedDisk;
import dev.sluice.campaign.power.Tearing;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a power failure leaves of operations of batches, which reach the kernel by calls or by entries of a ring. */
@EnabledOnOs(OS.LINUX)
class RecordedBatchTest extends LeakChecked {

    private static final int PAGE = 4096;
    private static final int SECTORS = 8;

    @TempDir
    Path directory;

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void whatCompletedForcesCoverIsThere(String demultiplexer) throws IOException {
        Path path = Files.createFile(directory.resolve("a"));
        try (RecordedDisk disk = RecordedDisk.install(directory);
                FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
                LoopFile file = loop.add(open(path), 1)) {
            ByteBuffer page = file.file().directAlignment().allocate(PAGE);
            FileBatch batch = new FileBatch(loop, 1);
            try (Closeable registration = loop.registerBuffer(page.duplicate())) {
                // The next iteration registers the memory.
                batch.force(file);
                batch.await();
                batch.write(file, fill(page, 'x'), 0);
                batch.await();
            }
            Set<String> torn = new TreeSet<>();
            for (int i = 0; i <= SECTORS; i++) {
                torn.add("a=" + "x".repeat(i));
            }
            assertEquals(torn, DiskStates.now(disk, Tearing.END));
            batch.forceData(file);
            batch.await();
            assertEquals(Set.of("a=xxxxxxxx"), DiskStates.now(disk, Tearing.END));
            batch.truncate(file, PAGE / 2);
            batch.await();
            assertEquals(Set.of("a=xxxx", "a=xxxxxxxx"), DiskStates.now(disk, Tearing.END));
            batch.force(file);
            batch.await();
            assertEquals(Set.of("a=xxxx"), DiskStates.now(disk, Tearing.END));
            batch.allocate(file, 0, PAGE);
            batch.await();
            assertEquals(Set.of("a=xxxx", "a=xxxx----"), DiskStates.now(disk, Tearing.END));
            batch.writeAndForceData(file, fill(page, 'y'), 0);
            batch.await();
            assertEquals(Set.of("a=yyyyyyyy"), DiskStates.now(disk, Tearing.END));
        }
    }

    /** Written directly, so that a ring gets the requests. */
    private static FileHandle open(Path path) throws IOException {
        try {
            return FileHandle.open(path, WRITE, FileOption.DIRECT);
        } catch (SystemCallException e) {
            assumeTrue(!e.errorName().equals("EINVAL"), "no direct access to files here");
            throw e;
        }
    }

    private static ByteBuffer fill(ByteBuffer page, char letter) {
        page.clear();
        while (page.hasRemaining()) {
            page.put((byte) letter);
        }
        return page.flip();
    }
}
