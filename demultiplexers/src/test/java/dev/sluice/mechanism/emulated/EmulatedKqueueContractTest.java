package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.mechanism.kqueue.EnabledIfKqueue;
import dev.sluice.mechanism.kqueue.KqueueDemultiplexer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

@Tag("one-binding")
@EnabledIfKqueue
class EmulatedKqueueContractTest extends AsynchronousDemultiplexerContract {

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return Demultiplexers.openAsynchronous("kqueue");
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new EmulatedDemultiplexer(new KqueueDemultiplexer("kqueue", Trigger.LEVEL),
                new ProvidedBuffers.Size(4096, 4, 4));
    }
}
