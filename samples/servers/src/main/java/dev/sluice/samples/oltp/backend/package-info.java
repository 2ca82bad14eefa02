/**
 * {@code sluice oltp-back}: the paper's back-end database server (section 2). It keeps a {@link
 * dev.sluice.samples.oltp.bank.Bank} and speaks RESP2, so Redis's own clients are its clients.
 *
 * <p>A {@link dev.sluice.samples.oltp.backend.BackEndService} is what one connection gets: it takes octets and answers,
 * in whatever thread the {@link dev.sluice.samples.conversation.ConcurrencyStrategy} gives it, which waits for the
 * disk meanwhile. Deposits that have come together are made together, in their order; see the bank for why that is
 * worth it. {@link dev.sluice.samples.oltp.command} lists the commands, and says what travels between a front end and
 * this.
 *
 * <p>{@code INFO totals} shows the bank's invariant. It looks at every account and deposit, so only who asks for it
 * gets it.
 */
package dev.sluice.samples.oltp.backend;
