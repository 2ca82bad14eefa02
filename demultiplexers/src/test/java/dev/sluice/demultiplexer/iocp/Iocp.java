package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.AsynchronousMechanism;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;

final class Iocp implements AsynchronousMechanism {

    @Override
    public AsynchronousEventDemultiplexer open() throws IOException {
        return OpenedDemultiplexers.openAsynchronous(IocpDemultiplexer.NAME);
    }

    @Override
    public AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IocpDemultiplexer(0, new ProvidedBuffers.Size(4096, 4, 4));
    }

    // Each call goes to another process and back, which takes longer than most operations.
    @Override
    public int manyOperations() {
        return 400_000;
    }

    @Override
    public boolean tiesHandlesPermanently() {
        return true;
    }
}
