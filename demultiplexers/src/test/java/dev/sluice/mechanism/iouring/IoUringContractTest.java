package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.io.IOException;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "isAllowed", disabledReason = "this kernel or container refuses io_uring")
class IoUringContractTest extends AsynchronousDemultiplexerContract {

    static final IoUringSize SMALL = new IoUringSize(8, 16, new ProvidedBuffers.Size(4096, 4, 4),
            IoUringSize.NEVER);

    static boolean isAllowed() {
        return Demultiplexers.available().stream()
                .anyMatch(factory -> factory.mode() == Mode.ASYNCHRONOUS
                        && factory.name().equals(IoUringDemultiplexer.NAME) && factory.availability().usable());
    }

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return Demultiplexers.openAsynchronous(IoUringDemultiplexer.NAME);
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IoUringDemultiplexer(SMALL, false);
    }
}
