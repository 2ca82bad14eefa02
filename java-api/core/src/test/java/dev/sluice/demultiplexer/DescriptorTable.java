package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Very many open descriptors, all of them pipes, which need no other resource. */
final class DescriptorTable implements Closeable {

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LIMIT = "Max open files";
    /** Allowance for other descriptors of the process. */
    private static final int OTHERS = 500;

    private final List<Pipe> pipes = new ArrayList<>();

    /** Skips the test unless the process may open the given number of descriptors. */
    static void assumeLimitAllows(int descriptors) throws IOException {
        long limit = limit();
        assumeTrue(limit >= descriptors + OTHERS,
                () -> "needs " + (descriptors + OTHERS) + " descriptors, the limit is " + limit + " (ulimit -n)");
    }

    private static long limit() throws IOException {
        if (!Files.exists(LIMITS)) {
            return Long.MAX_VALUE;
        }
        String soft = Files.readAllLines(LIMITS).stream()
                .filter(line -> line.startsWith(LIMIT))
                .map(line -> line.substring(LIMIT.length()).trim().split(" ")[0])
                .findFirst()
                .orElse("unlimited");
        return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
    }

    void open(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            pipes.add(Pipe.open());
        }
    }

    /** Opens pipes until the system has assigned the given descriptor. */
    Handle openUpTo(int descriptor) throws IOException {
        while (true) {
            Pipe pipe = Pipe.open();
            pipes.add(pipe);
            for (Handle handle : List.of(pipe.source(), pipe.sink())) {
                if (DemultiplexerContract.descriptor(handle) == descriptor) {
                    return handle;
                }
            }
        }
    }

    List<Pipe> pipes() {
        return pipes;
    }

    @Override
    public void close() {
        pipes.forEach(Pipe::close);
    }
}
