package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.AsynchronousTransferContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class IocpTransferContractTest extends AsynchronousTransferContract {

    IocpTransferContractTest() {
        super(new Iocp());
    }
}
