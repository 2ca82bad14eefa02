package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class IocpFileContractTest extends AsynchronousFileContract {

    IocpFileContractTest() {
        super(new Iocp());
    }
}
