package dev.sluice.reactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The hook for a regular file is called turn after turn, since a file is always ready. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the handle sets of Windows take no files")
class RegularFileTest extends ReactorContract {

    private static final int SIZE = 10_000;
    private static final int PIECE = 300;

    @TempDir
    Path directory;

    private final byte[] content = Bytes.random(SIZE);
    private FileHandle file;

    @BeforeEach
    void openFile() throws IOException {
        file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
    }

    /** Reads a piece with each call, and takes itself out at the end of the file. */
    private final class Reader extends OneHandleHandler {

        private final ByteBuffer read = ByteBuffer.allocate(SIZE);
        private int calls;
        private boolean over;

        @Override
        public Handle handle() {
            return file.handle();
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            calls++;
            int position = read.position();
            read.limit(Math.min(SIZE, position + PIECE));
            if (!read.hasRemaining() || file.read(read, position) < 0) {
                over = true;
                registration.close();
            }
        }
    }

    @Test
    void isReadStepByStepToItsEnd() throws Exception {
        Reader reader = new Reader();
        reader.register(reactor, Interest.READ);
        runUntil(() -> reader.over);
        assertBytes(content, reader.read.array());
        int calls = reader.calls;
        assertTrue(calls > SIZE / PIECE, () -> calls + " calls");
        runUntilIdle();
        assertEquals(calls, reader.calls);
    }

    @Test
    void othersGetTheirTurnMeanwhile() throws Exception {
        Recorder always = recorder("file", file.handle());
        always.register(reactor, Interest.READ);
        Pipe pipe = pipe();
        Recorder other = reader("pipe", pipe);
        other.register(reactor, Interest.READ);
        for (int i = 1; i <= 20; i++) {
            int expected = i;
            send(pipe);
            int before = always.count("input");
            runUntil(() -> other.received() == expected && always.count("input") > before);
        }
    }

    @Test
    void isLeftAloneWhileItIsDeactivated() throws Exception {
        Recorder always = recorder("file", file.handle());
        always.register(reactor, Interest.READ);
        for (int round = 0; round < 3; round++) {
            int before = always.count("input");
            runUntil(() -> always.count("input") > before);
            always.registration().pause();
            runUntilIdle();
            int deactivated = always.count("input");
            runUntilIdle();
            assertEquals(deactivated, always.count("input"));
            always.registration().resume();
        }
    }

    @Test
    void isSuspendedWhileItsHookRunsTheLoop() throws Exception {
        Pipe pipe = readablePipe();
        Recorder other = reader("pipe", pipe);
        Recorder always = recorder("file", file.handle());
        int[] depth = new int[2];
        always.onInput(() -> {
            depth[1] = Math.max(depth[1], ++depth[0]);
            if (other.received() == 0) {
                reactor.runOnce();
            }
            depth[0]--;
        });
        always.register(reactor, Interest.READ);
        other.register(reactor, Interest.READ);
        runUntil(() -> other.received() == 1 && always.count("input") >= 3);
        assertEquals(1, depth[1]);
    }

    @Test
    void isWrittenStepByStep() throws Exception {
        Path path = directory.resolve("written");
        FileHandle written = own(FileHandle.open(path, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE));
        Recorder writer = recorder("file", written.handle());
        writer.onOutput(() -> {
            int at = (writer.count("output") - 1) * PIECE;
            if (at < SIZE) {
                written.write(ByteBuffer.wrap(content, at, Math.min(PIECE, SIZE - at)), at);
            } else {
                written.close();
            }
        });
        writer.register(reactor, Interest.WRITE);
        runUntil(() -> !written.handle().isOpen());
        assertBytes(content, Arrays.copyOf(Files.readAllBytes(path), SIZE));
        runUntilIdle();
    }
}
