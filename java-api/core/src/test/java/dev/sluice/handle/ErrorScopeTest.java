package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Errno;
import dev.sluice.testing.Depth;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which errors end the service of all peers, as the manual pages say. */
@Tag(Depth.IN_QUICK)
class ErrorScopeTest {

    /** Of the descriptor: accept(2), recv(2), send(2), "ERRORS". */
    private static final Set<Errno> OF_DESCRIPTOR =
            EnumSet.of(Errno.EBADF, Errno.EFAULT, Errno.EINVAL, Errno.ENOTSOCK);

    @ParameterizedTest
    @EnumSource
    void onlyErrorsOfTheDescriptorEndAListener(Errno error) {
        assertEquals(OF_DESCRIPTOR.contains(error), ErrorScope.ofAccept(error) == ErrorScope.SOCKET);
    }

    /** accept(2), "Error handling". */
    @EnabledOnOs(OS.LINUX)
    @ParameterizedTest
    @EnumSource(names = {"ENETDOWN", "EPROTO", "ENOPROTOOPT", "EHOSTDOWN", "ENONET", "EHOSTUNREACH", "EOPNOTSUPP",
            "ENETUNREACH", "ECONNABORTED", "ETIMEDOUT", "ECONNRESET"})
    void networkErrorsOfANewConnectionAreItsOwn(Errno error) {
        assertEquals(ErrorScope.PEER, ErrorScope.ofAccept(error));
    }

    @ParameterizedTest
    @EnumSource(names = {"EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EPERM", "EACCES", "UNKNOWN"})
    void temporaryAcceptErrorsPauseAccepting(Errno error) {
        assertEquals(ErrorScope.TEMPORARY, ErrorScope.ofAccept(error));
    }

    @ParameterizedTest
    @EnumSource(names = {"EINVAL", "EPERM", "EACCES", "EMSGSIZE", "EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED",
            "ENOENT", "EADDRNOTAVAIL", "EPIPE", "EPROTOTYPE"})
    void sendErrorsConcernOnePeer(Errno error) {
        assertEquals(ErrorScope.PEER, ErrorScope.ofSend(error));
    }

    @ParameterizedTest
    @EnumSource(names = {"ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "EMSGSIZE", "EPERM", "EPROTO"})
    void earlierDatagramErrorsConcernOnePeer(Errno error) {
        assertEquals(ErrorScope.PEER, ErrorScope.ofReceive(error));
    }

    @Test
    void theDescriptorItselfEndsDatagrams() {
        for (Errno error : EnumSet.of(Errno.EBADF, Errno.EFAULT, Errno.ENOTSOCK)) {
            assertEquals(ErrorScope.SOCKET, ErrorScope.ofReceive(error));
            assertEquals(ErrorScope.SOCKET, ErrorScope.ofSend(error));
        }
        assertEquals(ErrorScope.SOCKET, ErrorScope.ofReceive(Errno.EINVAL));
    }
}
