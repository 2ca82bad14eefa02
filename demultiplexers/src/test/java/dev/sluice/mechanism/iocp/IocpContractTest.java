package dev.sluice.mechanism.iocp;

import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class IocpContractTest extends AsynchronousDemultiplexerContract {

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return Demultiplexers.openAsynchronous(IocpDemultiplexer.NAME);
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IocpDemultiplexer(new IocpOptions(0, new ProvidedBuffers.Size(4096, 4, 4)));
    }

    // Each call goes to another process and back, which takes longer than most operations.
    @Override
    protected int manyOperations() {
        return 400_000;
    }

    @Override
    protected boolean tiesHandlesForGood() {
        return true;
    }
}
