package dev.sluice.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another Java is asked for. */
class LiveHeapTest {

    private static final long NO_PROCESS = Integer.MAX_VALUE;
    private static final int MUCH = 32 * 1024 * 1024;

    @TempDir
    private Path directory;

    /** A Java with a large array, until its input ends. */
    static final class Holder {

        private Holder() {
        }

        public static void main(String[] arguments) throws IOException {
            byte[] much = new byte[MUCH];
            System.out.write('!');
            System.out.flush();
            much[0] = (byte) System.in.read();
        }
    }

    @BeforeEach
    void checkThatThereIsAJdk() {
        assumeTrue(LiveHeap.isTold(), "this Java has no jcmd");
    }

    @Test
    void countsWhatIsReachable() throws Exception {
        Host host = new Host(directory);
        Process holder = host.start(new ProcessBuilder(host.java(List.of(), Holder.class)));
        try {
            assertEquals('!', holder.getInputStream().read());
            long bytes = LiveHeap.bytes(holder.pid(), host);
            assertTrue(bytes > MUCH && bytes < 2 * MUCH, Long.toString(bytes));
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    void saysWhatIsWrong() {
        String message = assertThrows(IOException.class, () -> LiveHeap.bytes(NO_PROCESS, new Host(directory)))
                .getMessage();
        assertTrue(message.startsWith("jcmd has not reported the contents of the heap: "), message);
    }

    @Test
    void startsNothingWhenAllIsToEnd() {
        Host host = new Host(directory);
        host.endAll();

        String message = assertThrows(IOException.class, () -> LiveHeap.bytes(NO_PROCESS, host)).getMessage();
        assertEquals("not started, because the benchmarks are ending", message.replaceAll(":.*", ""));
    }
}
