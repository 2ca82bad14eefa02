package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.mechanism.epoll.EpollDemultiplexer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.io.IOException;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedEpollOneShotContractTest extends AsynchronousDemultiplexerContract {

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return Demultiplexers.openAsynchronous("epoll-one-shot");
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new ConcurrentEmulatedDemultiplexer(new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT),
                new ProvidedBuffers.Size(4096, 4, 4));
    }
}
