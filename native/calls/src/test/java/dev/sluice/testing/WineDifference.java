package dev.sluice.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What Wine 8 does otherwise than Windows, as far as a test shows it: the one list of these. A test that asserts what
 * Windows documents names the difference which makes it impossible under Wine; on Windows it asserts all.
 */
public enum WineDifference {

    /** Of a file that the caller opened for writing only. */
    TRANSMIT_FILE_IGNORES_RIGHTS("TransmitFile", "fails if the file's handle does not grant reading", "sends the file"),

    /** What is received, is received in order; then the two differ. */
    RECEIVE_AFTER_RESET_IS_THE_END("recv after the peer's reset", "fails with WSAECONNRESET", "returns 0"),

    /** What {@code IP_RECVERR} is for Linux, is the default of Windows. */
    REFUSED_DATAGRAM_IS_NOT_REPORTED("recv of a datagram socket whose datagram was refused",
            "fails with WSAECONNRESET", "waits on"),

    /** The number differs. */
    SEND_WITHOUT_PEER_IS_INVALID("WSASendTo without an address", "fails with WSAENOTCONN", "fails with WSAEINVAL"),

    /** Even if that other byte has arrived, and was received. */
    SEND_IS_REFUSED_DURING_ANOTHER("send while another thread sends one byte", "succeeds while there is space",
            "fails with WSAEWOULDBLOCK"),

    /** Windows documents one more error than the others have: of a peer that gave up while it waited to be accepted. */
    ACCEPT_FAILS_AFTER_RESET("accept of a connection that its peer has reset", "succeeds or fails with WSAECONNRESET",
            "fails with WSAENOTCONN"),

    /** It listens on all addresses then. */
    BIND_TO_FOREIGN_ADDRESS("bind to an address that the machine does not have", "fails with WSAEADDRNOTAVAIL",
            "succeeds"),

    /** Of a connection that {@code AcceptEx} has accepted, after {@code SO_UPDATE_ACCEPT_CONTEXT}. */
    ACCEPTED_HAS_DEFAULT_BUFFER("getsockopt of SO_RCVBUF of an accepted socket",
            "returns what the listening socket was given", "returns the default of all sockets"),

    /** Windows refuses what the backlog does not hold. A test finds a peer here that does not answer. */
    CONNECT_TO_FULL_BACKLOG_WAITS("connect to a listening socket whose backlog is full", "fails with WSAECONNREFUSED",
            "waits on"),

    /** {@code IPV6_TCLASS}, {@code TCP_KEEPIDLE}, {@code TCP_KEEPINTVL}, {@code TCP_KEEPCNT}, {@code TCP_FASTOPEN}. */
    LACKS_SOCKET_OPTIONS("setsockopt of options that are newer than Windows 8", "sets them",
            "fails with WSAENOPROTOOPT"),

    LACKS_ALLOCATION("SetFileInformationByHandle with FileAllocationInfo", "reserves space",
            "fails with ERROR_CALL_NOT_IMPLEMENTED"),

    LACKS_HOLES("DeviceIoControl with FSCTL_SET_ZERO_DATA", "zeroes and frees a range",
            "fails with ERROR_NOT_SUPPORTED"),

    /** Of the command interpreter, and so the script finds nothing where it lies. */
    SCRIPT_PATH_LACKS_PERCENT_SIGN("%~dp0 in a script whose path has a percent sign", "has it, too", "lacks it"),

    /** Each call waits for the reply of the process that holds all objects. */
    SLOW("every call", "takes microseconds", "takes up to a millisecond if threads compete");

    /** How much less often a test repeats itself where calls are slow. */
    private static final int SLOWNESS = 20;

    private final String text;

    WineDifference(String call, String documented, String done) {
        text = "Wine differs: " + call + ": Windows: " + documented + "; Wine: " + done;
    }

    /** Asks the system once: ntdll of Wine exports a function that ntdll of Windows lacks. */
    private static final class Detected {

        private static final boolean WINE =
                Bindings.current().os() == Platform.Os.WINDOWS && exports("ntdll.dll", "wine_get_version");

        private static boolean exports(String library, String function) {
            Binding binding = Bindings.current();
            try (MemoryBlock libraryName = text(binding, library, StandardCharsets.UTF_16LE);
                    MemoryBlock functionName = text(binding, function, StandardCharsets.US_ASCII)) {
                long module = binding.windows().GetModuleHandleW(libraryName.address());
                return binding.windows().GetProcAddress(module, functionName.address()) > 0;
            }
        }

        private static MemoryBlock text(Binding binding, String text, Charset charset) {
            byte[] bytes = (text + '\0').getBytes(charset);
            MemoryBlock block = binding.memory().allocate(bytes.length);
            block.buffer().put(0, bytes);
            return block;
        }
    }

    /** {@return whether the system is Wine, and so has this difference} */
    public boolean isPresent() {
        return Detected.WINE;
    }

    /** Skips the test if the system has this difference. */
    public void assumeAbsent() {
        assumeFalse(isPresent(), text);
    }

    /** Skips the test on Windows that lacks this difference, which the test is based on there. */
    public void assumePresentOnWindows() {
        assumeTrue(isPresent() || Bindings.current().os() != Platform.Os.WINDOWS, text);
    }

    /**
     * Returns the number of repetitions.
     *
     * @param usual the number where calls are fast
     * @return the number on this system
     */
    public static int times(int usual) {
        return SLOW.isPresent() ? Math.max(1, usual / SLOWNESS) : usual;
    }

    /** {@return the call, what Windows documents, what Wine does} */
    @Override
    public String toString() {
        return text;
    }
}
