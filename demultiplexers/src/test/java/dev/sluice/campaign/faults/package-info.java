/**
 * The campaign "a fault in the n-th call, for every n".
 *
 * <p>A {@link dev.sluice.campaign.faults.Scenario} is played once in peace, while {@link
 * dev.sluice.campaign.faults.FaultyCalls} between the library and its binding counts the calls of each C function, each
 * request to io_uring and each allocation of native memory. Then it is played again for each of them and each {@link
 * dev.sluice.campaign.faults.InjectedError} that the manual allows there; whatever happens, the {@link
 * dev.sluice.campaign.faults.Ledger} has to be balanced afterwards, and nothing may have been leaked.
 */
package dev.sluice.campaign.faults;
