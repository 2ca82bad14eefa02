package dev.sluice.mechanism.iocp;

import dev.sluice.demultiplexer.AsynchronousTransferContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class IocpTransferContractTest extends AsynchronousTransferContract {

    IocpTransferContractTest() {
        super(new Iocp());
    }
}
