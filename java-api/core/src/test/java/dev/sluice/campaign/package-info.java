/**
 * Common code of campaigns. A campaign is a test that tries many things instead of one: a fault in each call, random
 * sequences, hours of load. In the normal build it runs in its short form; {@code mvn verify -Pcampaign} runs all tests
 * tagged {@code campaign}, and those alone, in the long form.
 */
package dev.sluice.campaign;
