package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.eventloop.EventLoopGroup;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.spi.LoopSettings;
import java.io.IOException;

/** Several proactors, each run by a thread of its own. */
public final class ProactorGroup extends EventLoopGroup<Proactor> {

    private ProactorGroup(LoopSettings settings) throws IOException {
        // Chosen once for all loops, because the choice logs the demultiplexers that are not available.
        super("proactor", settings.on(Mechanism.choose(settings.demultiplexer(), Mechanism.Mode.ASYNCHRONOUS).name()),
                Proactor::open);
    }

    /**
     * Opens a proactor for each processor. Their threads are not started.
     *
     * @return the group; the caller closes it
     * @throws IOException if a system call fails
     */
    @CheckReturnValue
    public static ProactorGroup open() throws IOException {
        return builder().open();
    }

    /**
     * Opens proactors. Their threads are not started.
     *
     * @param loops the number of loops, at least 1
     * @return the group; the caller closes it
     * @throws IOException if a system call fails
     */
    @CheckReturnValue
    public static ProactorGroup open(int loops) throws IOException {
        return builder().loops(loops).open();
    }

    /** {@return a builder of groups with other settings than the default} */
    @CheckReturnValue
    public static LoopBuilder<ProactorGroup> builder() {
        return new LoopBuilder<>(ProactorGroup::new);
    }
}
