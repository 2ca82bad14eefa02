package dev.sluice.samples.gnutella;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a router.
 *
 * @param address       to listen on
 * @param given         hosts to connect to
 * @param kept          the number of connections that the catcher maintains
 * @param neighbours    the most that may connect to it
 * @param queue         the number of messages that may wait for the router
 * @param outgoingBytes the number of bytes that may wait for a neighbour
 * @param threads       the maximum number of threads of the router stage
 * @param queryDelay    how long to sleep for each query
 * @param policy        what is done when the router's queue is full
 * @param packetRate    packets per second that are read from each neighbour, if that is the policy
 * @param timed         whether response times are recorded
 * @param timeout       how long a greeting may take, and a neighbour that is to be closed
 * @param tolerance     for how long a neighbour may be behind before it is closed; see {@link Outbox}
 * @param interval      how often the stages look at what is overdue, and the first pause between attempts at a given
 *                      host
 * @param silence       for how long a neighbour may send nothing before it is closed; after half of it, it gets a ping
 */
record Settings(InetSocketAddress address, List<InetSocketAddress> given, int kept, int neighbours, int queue,
                int outgoingBytes, int threads, Duration queryDelay, OverloadPolicy policy, int packetRate,
                boolean timed, Duration timeout, Duration interval, Duration tolerance, Duration silence) {
}
