/**
 * Moves octets between files and sockets, for any protocol: JAWS' I/O strategy framework. It serves a {@link
 * dev.sluice.samples.io.Protocol}, whose {@link dev.sluice.samples.io.ProtocolHandler}s define the meaning of octets.
 *
 * <p>A {@link dev.sluice.samples.conversation.ConcurrencyStrategy} decides which thread serves which connection, and
 * with that how octets move. Either way the protocol handler is driven, which tells what to do next, holds the {@code
 * Transmission} of the {@link dev.sluice.samples.io.Message} to send, and knows when its timeout ends, but not which
 * thread waits, nor how. The {@code ProtocolConversation} reads and writes the socket itself in each quantum, because
 * the socket is ready or because a thread has waited for it; the {@code ProactiveHandler} initiates operations and goes
 * on when a Proactor says that they are complete. What is sent of a file goes through a {@link
 * dev.sluice.samples.io.Conversion} if the message has one; then it is read, whatever {@code --file-io} says.
 *
 * <p>What goes out passes {@link dev.sluice.samples.io.TransferFilter}s, whichever way it goes: these see each message
 * begin and end, and may limit its rate. The access log and the throttling of bandwidth are such filters. They are part
 * of the stack that a protocol has of its own; without any, a message costs two empty loops. The {@link
 * dev.sluice.samples.io.AccessLog} keeps the lines of each loop to itself.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>One sweep instead of a timer for each connection.</b> Every request would schedule and cancel timers; instead,
 *     each loop looks over the deadlines of all its connections a few times per shortest timeout. Only a thread that
 *     waits in the kernel for its own connection sees to its own deadline.
 * <li><b>The access log drops lines rather than waiting.</b> A thread of its own writes it; lines that a stopped reader
 *     or a full disk does not take are dropped and counted.
 * <li><b>Buffers belong to the quantum.</b> A thread that runs one takes an {@code IterationScratch} with what it
 *     needs, and leaves it empty: so idle connections cost no buffer, however many there are and whichever thread goes
 *     on with them. The reactor's own thread finds the same one each time.
 * <li><b>A thread of its own ends a connection abruptly at the stop.</b> Only the end of its input gets it out of
 *     poll(2), and after that it cannot hear when the client has closed. So what the client sends after its last reply
 *     may cost it this reply; under all other strategies the server waits for the client's end.
 * <li><b>A file goes out in pieces</b>, each a step of its own: others get their turn, and that a piece has gone is the
 *     progress that sending has to make before the deadline.
 * <li><b>What is converted waits as it is sent</b>, 16 KiB of the file at a time: to read it again for each attempt, as
 *     files are otherwise, would mean to convert it again, too.
 * </ul>
 *
 * <p>Of the proactive strategies alone:
 * <ul>
 * <li><b>A connection receives continuously</b>, into buffers that the Proactor provides when something comes, so that
 *     a silent one costs none. None is kept either. What arrives too early is copied, because all connections share the
 *     provided buffers, and a few clients that send requests without reading replies could occupy all of them.
 * <li><b>Two operations are in flight at most</b>, that receive and one that sends or reads. The connection's state
 *     lives until both have completed, also when it is closed: the kernel may be using its buffers till then.
 * <li><b>A file belongs to the cache, its tie to a Proactor to the loop.</b> Many connections of several loops read one
 *     open file, and it can be tied to each Proactor once; so each loop has a weak map from the entry to the {@code
 *     AsyncFile}. The tie itself ends when the last user closes the file.
 * <li><b>{@code read} costs a buffer for each reply that is not sent yet</b>; the others have one for each turn,
 *     because they read again what the socket has not taken.
 * <li><b>A handler takes its own lock in each hook.</b> On a concurrent proactor the completions of its socket and of
 *     a file, the sweep and the stop come by different threads. Alone on its loop it never waits for it.
 * <li><b>Opening is synchronous</b>, in a thread of the {@code FileThreads}: the lookup also resolves and compares
 *     paths, for which there are no operations.
 * </ul>
 */
package dev.sluice.samples.io;
