package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import dev.sluice.mechanism.poll.PollDemultiplexer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("one-binding")
@EnabledOnOs(OS.LINUX)
class EmulatedPollContractTest extends AsynchronousDemultiplexerContract {

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return Demultiplexers.openAsynchronous("poll");
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new EmulatedDemultiplexer(new PollDemultiplexer(), new ProvidedBuffers.Size(4096, 4, 4));
    }
}
