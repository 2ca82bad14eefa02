package dev.sluice.handle;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.system.SystemSocketOption;
import java.net.SocketOption;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options that can be set on sockets, under their C names. The options of {@link java.net.StandardSocketOptions}
 * with one of these names are accepted as well.
 */
public final class NativeSocketOptions {

    private static final Map<String, SystemSocketOption<?>> BY_NAME = new LinkedHashMap<>();

    /** Allows binding an address on which connections of an earlier listener linger; acceptors set it. */
    public static final SocketOption<Boolean> SO_REUSEADDR =
            flag("SO_REUSEADDR", SocketConstants.SOL_SOCKET, SocketConstants.SO_REUSEADDR);
    /**
     * Allows several sockets to listen on one port; the kernel distributes connections among them. Set before binding.
     */
    public static final SocketOption<Boolean> SO_REUSEPORT =
            flag("SO_REUSEPORT", SocketConstants.SOL_SOCKET, SocketConstants.SO_REUSEPORT);
    /** Probes an idle connection. */
    public static final SocketOption<Boolean> SO_KEEPALIVE =
            flag("SO_KEEPALIVE", SocketConstants.SOL_SOCKET, SocketConstants.SO_KEEPALIVE);
    /** Allows sending datagrams to a broadcast address. */
    public static final SocketOption<Boolean> SO_BROADCAST =
            flag("SO_BROADCAST", SocketConstants.SOL_SOCKET, SocketConstants.SO_BROADCAST);
    /** Leaves urgent data in the stream. */
    public static final SocketOption<Boolean> SO_OOBINLINE =
            flag("SO_OOBINLINE", SocketConstants.SOL_SOCKET, SocketConstants.SO_OOBINLINE);
    /** Size of the send buffer in bytes; Linux doubles it for its own bookkeeping and reports twice the value. */
    public static final SocketOption<Integer> SO_SNDBUF =
            number("SO_SNDBUF", SocketConstants.SOL_SOCKET, SocketConstants.SO_SNDBUF);
    /** Size of the receive buffer in bytes; Linux doubles it for its own bookkeeping and reports twice the value. */
    public static final SocketOption<Integer> SO_RCVBUF =
            number("SO_RCVBUF", SocketConstants.SOL_SOCKET, SocketConstants.SO_RCVBUF);
    /** Seconds that unsent data may hold up a close, 0 to reset the connection, negative for the system's default. */
    public static final SocketOption<Integer> SO_LINGER =
            number("SO_LINGER", SocketConstants.SOL_SOCKET, SocketConstants.SO_LINGER);
    /**
     * The processor that has handled the last packet of the connection; negative if none has. If set on one of several
     * acceptors that share a port, that acceptor gets the connections of this processor (Linux).
     */
    public static final SocketOption<Integer> SO_INCOMING_CPU =
            number("SO_INCOMING_CPU", SocketConstants.SOL_SOCKET, SocketConstants.SO_INCOMING_CPU);
    /** Type of service in the IPv4 header, 0 to 255. */
    public static final SocketOption<Integer> IP_TOS =
            number("IP_TOS", SocketConstants.IPPROTO_IP, SocketConstants.IP_TOS);
    /** Time to live of IPv4 packets, 1 to 255. */
    public static final SocketOption<Integer> IP_TTL =
            number("IP_TTL", SocketConstants.IPPROTO_IP, SocketConstants.IP_TTL);
    /** Restricts an IPv6 socket to IPv6 peers; set before binding. */
    public static final SocketOption<Boolean> IPV6_V6ONLY =
            flag("IPV6_V6ONLY", SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY);
    /** Traffic class in the IPv6 header, 0 to 255. */
    public static final SocketOption<Integer> IPV6_TCLASS =
            number("IPV6_TCLASS", SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_TCLASS);
    /** Sends small segments immediately; on Linux, accepted connections inherit it from the acceptor. */
    public static final SocketOption<Boolean> TCP_NODELAY =
            flag("TCP_NODELAY", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_NODELAY);
    /** Delays partial segments until it is switched off, at most 200 ms (Linux). */
    public static final SocketOption<Boolean> TCP_CORK =
            flag("TCP_CORK", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_CORK);
    /** Acknowledges immediately; the kernel may switch it off again (Linux). */
    public static final SocketOption<Boolean> TCP_QUICKACK =
            flag("TCP_QUICKACK", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_QUICKACK);
    /** Seconds of idleness before the first keep-alive probe. */
    public static final SocketOption<Integer> TCP_KEEPIDLE =
            number("TCP_KEEPIDLE", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_KEEPIDLE);
    /** Seconds between keep-alive probes. */
    public static final SocketOption<Integer> TCP_KEEPINTVL =
            number("TCP_KEEPINTVL", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_KEEPINTVL);
    /** Unanswered keep-alive probes before the connection is dropped. */
    public static final SocketOption<Integer> TCP_KEEPCNT =
            number("TCP_KEEPCNT", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_KEEPCNT);
    /** Maximum time in seconds to delay accepting a new connection until its first data arrive (Linux). */
    public static final SocketOption<Integer> TCP_DEFER_ACCEPT =
            number("TCP_DEFER_ACCEPT", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_DEFER_ACCEPT);
    /** Milliseconds that sent data may stay unacknowledged before the connection is dropped (Linux). */
    public static final SocketOption<Integer> TCP_USER_TIMEOUT =
            number("TCP_USER_TIMEOUT", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_USER_TIMEOUT);
    /** On an acceptor: maximum number of pending connections that sent data in their first segment (Linux). */
    public static final SocketOption<Integer> TCP_FASTOPEN =
            number("TCP_FASTOPEN", SocketConstants.IPPROTO_TCP, SocketConstants.TCP_FASTOPEN);

    private NativeSocketOptions() {
    }

    /** {@return all options, in the order above} */
    public static Collection<SocketOption<?>> all() {
        return Collections.unmodifiableCollection(BY_NAME.values());
    }

    private static SocketOption<Boolean> flag(String name, int level, int number) {
        return known(new SystemSocketOption<>(name, Boolean.class, level, number));
    }

    private static SocketOption<Integer> number(String name, int level, int number) {
        return known(new SystemSocketOption<>(name, Integer.class, level, number));
    }

    private static <T> SocketOption<T> known(SystemSocketOption<T> option) {
        BY_NAME.put(option.name(), option);
        return option;
    }

    static SystemSocketOption<?> resolve(SocketOption<?> option) {
        if (option instanceof SystemSocketOption<?> nativeOption) {
            return nativeOption;
        }
        SystemSocketOption<?> known = BY_NAME.get(option.name());
        if (known == null || known.type() != option.type()) {
            throw new UnsupportedOperationException(
                    "socket option " + option.name() + " is not known; known are " + BY_NAME.keySet());
        }
        return known;
    }
}
